// One row a command: its title, what is certain in a sentence, its large numbers, the picture that says most, the other sections,
// and how it was run. The report page and the studio read this table.
import { count } from "./format.js";
import { certainty, inferBeside, inferLead, inferParts, inferRun, numbers } from "./sections/infer.js";
import { logZCertainty, logZLead, logZNumbers, logZParts, logZRun } from "./sections/logz.js";
import { agreeBeside, agreeCertainty, agreeLead, agreeNumbers, agreeParts, agreeRun } from "./sections/agree.js";
import { selectCertainty, selectLead, selectNumbers, selectParts, selectRun } from "./sections/select.js";
import { recommendCertainty, recommendLead, recommendParts, recommendRun } from "./sections/recommend.js";
import { experimentCertainty, experimentParts, experimentRun, experimentTitle } from "./sections/reproduce.js";
import { fitCertainty, fitLead, fitParts, fitRun } from "./sections/fit.js";
import { evaluateCertainty, evaluateLead, evaluateNumbers, evaluateParts, evaluateRun } from "./sections/evaluate.js";
import { bestSetCertainty, bestSetLead, bestSetNumbers, bestSetParts, bestSetRun } from "./sections/best_set.js";
import { sampleCertainty, sampleParts, sampleRun } from "./sections/sample.js";
import { genericParts, genericRun } from "./sections/generic.js";

const subject = (result) => (result.model?.kind ? `${result.model.kind}${result.model.n === undefined ? "" : `, ${count(result.model.n, "item")}`}` : "");
const titled = (name) => (result) => (subject(result) ? `${name}: ${subject(result)}` : name);

const commands = {
  infer: { title: titled("Inference"), sure: certainty, numbers, lead: inferLead, beside: inferBeside, parts: inferParts, run: inferRun },
  logz: { title: titled("log Z"), sure: logZCertainty, numbers: logZNumbers, lead: logZLead, parts: logZParts, run: logZRun },
  agree: { title: titled("Posterior agreement"), sure: agreeCertainty, numbers: agreeNumbers, lead: agreeLead, beside: agreeBeside, parts: agreeParts, run: agreeRun },
  select: { title: titled("Model selection"), sure: selectCertainty, numbers: selectNumbers, lead: selectLead, parts: selectParts, run: selectRun },
  recommend: { title: titled("Recommendations"), sure: recommendCertainty, lead: recommendLead, parts: recommendParts, run: recommendRun },
  sample: { title: titled("Samples"), sure: sampleCertainty, parts: sampleParts, run: sampleRun },
  "best-set": { title: titled("The best set"), sure: bestSetCertainty, numbers: bestSetNumbers, lead: bestSetLead, parts: bestSetParts, run: bestSetRun },
  fit: { title: titled("Training"), sure: fitCertainty, lead: fitLead, parts: fitParts, run: fitRun },
  evaluate: { title: titled("Evaluation"), sure: evaluateCertainty, numbers: evaluateNumbers, lead: evaluateLead, parts: evaluateParts, run: evaluateRun },
  reproduce: { title: experimentTitle, sure: experimentCertainty, parts: experimentParts, run: experimentRun },
};
const unknown = { title: (result) => titled(`surefield ${result.command ?? ""}`.trim())(result), parts: (result) => genericParts(result), run: (result) => genericRun(result) };

export const rowOf = (result) => commands[result.command] ?? unknown;
