// The server as functions. Every request carries the token in a field of its own, never in the address, so no other page can make a
// browser send it; events come through fetch for the same reason.

const key = "surefield-token";
const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  localStorage.setItem(key, given.get("token"));
  given.delete("token");
  history.replaceState(null, "", `${location.pathname}#${given}`);
}
const head = (more = {}) => ({ "X-Surefield-Token": localStorage.getItem(key) ?? "", ...more });

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function checked(response) {
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).error ?? text;
  } catch {
    /* not ours; shown as it is */
  }
  throw new Refused(message, response.status);
}

const get = async (path) => checked(await fetch(`/api/v1/${path}`, { headers: head() }));
const getJson = async (path) => (await get(path)).json();

export const about = () => getJson("about");
export const files = () => getJson("files");
export const file = (id) => getJson(`files/${id}`);
export const history_ = () => getJson("runs");
export const run = (id) => getJson(`runs/${id}`);
export const news = (id) => getJson(`runs/${id}?news=1`);
export const reportOf = async (ids) => (await get(`report?runs=${ids.join(",")}`)).blob();
export const textOf = async (id) => (await get(`text/${id}`)).blob();
export const forget = async (id) => checked(await fetch(`/api/v1/runs/${id}`, { method: "DELETE", headers: head() }));
export const closeFile = async (id) =>
  checked(await fetch(`/api/v1/files/${id}`, { method: "DELETE", headers: head() }));
export const openPath = async (path) =>
  (
    await checked(
      await fetch("/api/v1/files", {
        method: "POST",
        headers: head({ "Content-Type": "application/json" }),
        body: JSON.stringify({ path }),
      }),
    )
  ).json();
export const upload = async (one) =>
  (
    await checked(
      await fetch(`/api/v1/files?name=${encodeURIComponent(one.name)}`, { method: "POST", headers: head(), body: one }),
    )
  ).json();

const asking = (question, accept, signal) =>
  fetch("/api/v1/ask", {
    method: "POST",
    signal,
    headers: head({ "Content-Type": "application/json", Accept: accept }),
    body: JSON.stringify(question),
  });

/// One answer, not kept: what if. Aborting the signal ends the work.
export const askQuick = async (question, signal) =>
  (await checked(await asking({ ...question, quick: true }, "application/json", signal))).json();

export const stop = async (number) => {
  await fetch(`/api/v1/stop/${number}`, { method: "POST", headers: head() });
};

/// Asks and tells every event as it comes: on(name, data). Returns the result; throws what the server says.
export async function ask(question, on, signal) {
  const response = await checked(await asking(question, "text/event-stream", signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "",
    result = null;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const name = lines[0].replace(/^event: /, "");
      const data = JSON.parse(
        lines
          .slice(1)
          .map((line) => line.replace(/^data: ?/, ""))
          .join("\n"),
      );
      if (name === "failed") throw new Refused(data.error, 422);
      if (name === "result") result = data;
      else on(name, data);
    }
  }
  if (!result) throw new Refused("the server went away before the answer was complete", 0);
  return result;
}
