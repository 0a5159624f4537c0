// A set of small integers that finds its lowest missing member without a scan: one bit each, summed up 32 to 1, level over level.

const WORD = 32;
const FULL = 0xffffffff;

/** Which of `0 … size-1` are taken. Memory: `size / 8` octets and a thirty-first more; every call costs one step a level (5 for 2^24). */
export class Bitmap {
  /** `levels[0]` has a bit for each member; a bit of a higher level says that its whole word below is full. */
  readonly #levels: Uint32Array[] = [];
  readonly size: number;
  #taken = 0;

  constructor(size: number) {
    this.size = size;
    let bits = size;
    do {
      const words = Math.max(1, Math.ceil(bits / WORD));
      const level = new Uint32Array(words);
      // What lies beyond the end counts as taken, so that a search never meets it.
      const rest = bits - (words - 1) * WORD;
      if (rest < WORD) level[words - 1] = FULL << rest;
      this.#levels.push(level);
      bits = words;
    } while (bits > 1);
  }

  /** How many are taken. */
  get taken(): number {
    return this.#taken;
  }

  has(index: number): boolean {
    return ((this.#word(0, index >>> 5) >>> (index & 31)) & 1) === 1;
  }

  add(index: number): void {
    if (this.has(index)) return;
    this.#taken++;
    let at = index;
    for (let depth = 0; depth < this.#levels.length; depth++) {
      const word = at >>> 5;
      const value = (this.#word(depth, word) | (1 << (at & 31))) >>> 0;
      this.#set(depth, word, value);
      if (value !== FULL) return;
      at = word;
    }
  }

  delete(index: number): void {
    if (index >= this.size || !this.has(index)) return;
    this.#taken--;
    let at = index;
    for (let depth = 0; depth < this.#levels.length; depth++) {
      const word = at >>> 5;
      const before = this.#word(depth, word);
      this.#set(depth, word, (before & ~(1 << (at & 31))) >>> 0);
      if (before !== FULL) return;
      at = word;
    }
  }

  /** The lowest that is not taken; undefined where all are. */
  lowestFree(): number | undefined {
    let at = 0;
    for (let depth = this.#levels.length - 1; depth >= 0; depth--) {
      const missing = ~this.#word(depth, at);
      if (missing === 0) return undefined;
      at = at * WORD + (31 - Math.clz32(missing & -missing));
    }
    return at;
  }

  #word(depth: number, word: number): number {
    return this.#levels[depth]?.[word] ?? FULL;
  }

  #set(depth: number, word: number, value: number): void {
    const level = this.#levels[depth];
    if (level !== undefined) level[word] = value;
  }
}
