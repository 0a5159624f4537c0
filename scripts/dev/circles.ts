// Finds import circles: for each knot of files that reach each other, the shortest way round.
import type { Import } from './syntax.js';

type Edges = ReadonlyMap<string, readonly Import[]>;

function neighbours(edges: Edges, file: string): string[] {
  const targets = (edges.get(file) ?? []).flatMap(({ target }) => (target === undefined ? [] : [target]));
  return targets.filter((target) => edges.has(target));
}

/** The shortest way from `start` back to itself, `start` first; undefined where there is none. */
function wayRound(edges: Edges, start: string): string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of neighbours(edges, file)) {
      if (next === start) {
        const way = [file];
        for (let back = from.get(file); back !== undefined; back = from.get(back)) way.unshift(back);
        return way;
      }
      if (from.has(next)) continue;
      from.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

/** All files that can be reached from `start`. */
function reach(edges: Edges, start: string): Set<string> {
  const seen = new Set<string>();
  const queue = [start];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    for (const next of neighbours(edges, file)) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return seen;
}

/** One circle for each knot in `edges`; each a list of files in which every one imports the next, and the last the first. */
export function circles(edges: Edges): string[][] {
  const found: string[][] = [];
  const told = new Set<string>();
  for (const file of [...edges.keys()].sort()) {
    if (told.has(file)) continue;
    const circle = wayRound(edges, file);
    if (circle === undefined) continue;
    found.push(circle);
    // The rest of the knot: what is reached from here and leads back here.
    for (const other of reach(edges, file)) if (reach(edges, other).has(file)) told.add(other);
  }
  return found;
}
