// What was probably meant: the known word nearest to the one that was written.

/** How many single slips (a letter too many, too few, wrong, or two exchanged) lie between `a` and `b`; over `most` it stops counting. */
function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? most + 1;
}

/** The first of `known` that is nearest to `word`, if it is near enough to have been meant; case, `_` and `-` do not count. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > 100) return undefined;
  const plain = (text: string): string => text.toLowerCase().replace(/[_\s]/g, '-');
  let least = Math.max(1, Math.min(3, Math.floor(word.length / 3))) + 1;
  let best: string | undefined;
  for (const candidate of known) {
    const count = slips(plain(word), plain(candidate), least);
    if (count < least) {
      least = count;
      best = candidate;
    }
  }
  return best;
}
