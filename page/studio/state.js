// What the page shows, in its address: a link restores it, back and forward go through it. The changes of a what-if replace one
// another there, and can be undone one by one.

const read = () => new URLSearchParams(location.hash.slice(1));
const listeners = new Set();

export const state = {
  get: (key) => read().get(key) ?? "",
  list: (key) =>
    (read().get(key) ?? "")
      .split(",")
      .filter((part) => part !== "")
      .map(Number),
  /// replace: without a step of history, for what follows a slider.
  set(changes, { replace = false } = {}) {
    const next = read();
    for (const [key, value] of Object.entries(changes)) {
      const text = Array.isArray(value) ? value.join(",") : value === null ? "" : String(value);
      if (text === "") next.delete(key);
      else next.set(key, text);
    }
    const hash = `#${next}`;
    if (hash === location.hash) return;
    history[replace ? "replaceState" : "pushState"](null, "", hash);
    for (const listener of listeners) listener();
  },
  watch: (listener) => listeners.add(listener),
};

for (const event of ["popstate", "hashchange"])
  window.addEventListener(event, () => {
    for (const listener of listeners) listener();
  });

/// Steps of any kind that can be undone and redone: values, compared as JSON.
export function undoable(first, apply) {
  const past = [],
    future = [];
  let now = first;
  return {
    now: () => now,
    change(next) {
      if (JSON.stringify(next) === JSON.stringify(now)) return;
      past.push(now);
      future.length = 0;
      now = next;
      apply(now);
    },
    /// Without a step: while a slider moves.
    slide(next) {
      now = next;
      apply(now);
    },
    mark(before) {
      past.push(before);
      future.length = 0;
    },
    undo() {
      if (past.length) {
        future.push(now);
        now = past.pop();
        apply(now);
      }
    },
    redo() {
      if (future.length) {
        past.push(now);
        now = future.pop();
        apply(now);
      }
    },
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
