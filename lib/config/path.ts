// Ways through a configuration text, and how people read them.

/** The way from the top of a file: keys of maps, indexes of lists. */
export type Path = readonly (string | number)[];

/** The value at `path` below `value`; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

/** The path as people read it. Networks and machines are shown by their name where `root` has one, all other elements by index. */
export function formatPath(path: Path, root?: unknown): string {
  let shown = '';
  path.forEach((step, depth) => {
    if (typeof step === 'string') {
      shown += shown === '' ? step : `.${step}`;
      return;
    }
    const named = depth === 1 ? valueAt(root, [...path.slice(0, 2), 'name']) : undefined;
    shown += `[${typeof named === 'string' && /^[\w.-]{1,253}$/.test(named) ? named : step}]`;
  });
  return shown === '' ? '(whole file)' : shown;
}
