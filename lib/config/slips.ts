// Slips of YAML in plain words: what the parser stumbled over, and what was probably meant.
import type { YAMLError } from 'yaml';

export const tooDeep = 'brackets or levels are nested thousands deep; a configuration needs no more than six levels';

const flow = 'entries in { } and [ ] are divided by commas';

const commaMissing = `a comma is missing; ${flow}`;

/** The sentence for what the parser stumbled over on one line, in its order; `line` is the text of that line. */
export function sentenceFor([first, ...others]: readonly YAMLError[], line: string): string {
  if (first === undefined) throw new Error('no error to make a sentence of');
  const { code, message } = first;
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'a tab indents this line; YAML is indented by spaces only, so write spaces instead';
    case 'MULTILINE_IMPLICIT_KEY':
      return `${quote(line)} is no \`key: value\`; the colon after the key, or the space after the colon, is missing`;
    case 'BLOCK_IN_FLOW':
      return commaMissing;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a second `key: ` begins on this line; put it on a line of its own, or put the value in quotes if the colon is part of it';
    case 'BAD_INDENT':
      return /^Flow/.test(message)
        ? `a { or [ that was opened before this place is not closed; ${flow} and end with } or ]`
        : 'this line is indented otherwise than those it belongs to; write as many spaces as they have';
    case 'MISSING_CHAR':
      if (/quote/.test(message)) return 'a quotation mark is not closed; end the text with the mark that began it';
      if (/- indicator/.test(message)) {
        return 'this line stands among the items of a list but is not one; begin it with `- `, or indent it like the keys of the item above';
      }
      if (/separated by ,|expected to be/.test(message)) return commaMissing;
      return `${quote(line)} is no \`key: value\`; the colon after the key, or the space after the colon, is missing`;
    case 'BAD_SCALAR_START':
      return 'a value cannot begin with this character; put the value in quotes';
    case 'BAD_DQ_ESCAPE':
      return 'a backslash in "double quotes" begins an escape that YAML does not know; write \\\\ for a backslash, or use \'single quotes\'';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; a file holds one document, so remove the `---` or `...`';
    case 'TAG_RESOLVE_FAILED':
      return 'a tag (a word that begins with !) means nothing here; remove it, or put the value in quotes';
    case 'UNEXPECTED_TOKEN':
      if (/scalar/.test(message) && others.some((other) => other.code === 'BLOCK_IN_FLOW')) return commaMissing;
      if (/, in flow/.test(message)) return `there is a comma too many; ${flow}`;
      return `this does not fit what stands before it: ${lower(message)}; check colons, quotes, commas and indentation here and on the line above`;
    case 'BAD_DIRECTIVE':
      return 'a line that begins with % is a YAML directive, and this one is not known; remove it';
    case 'RESOURCE_EXHAUSTION':
      return tooDeep;
    case 'ALIAS_PROPS':
    case 'BAD_ALIAS':
    case 'BAD_PROP_ORDER':
    case 'DUPLICATE_KEY':
    case 'IMPOSSIBLE':
    case 'KEY_OVER_1024_CHARS':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'NON_STRING_KEY':
    case 'BAD_COLLECTION_TYPE':
      return `this is not YAML: ${lower(message)}; write \`key: value\` lines, lists of \`- \` items, and quotes around values with special characters`;
  }
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}

function quote(line: string): string {
  const bare = line.trim();
  return JSON.stringify(bare.length > 60 ? `${bare.slice(0, 57)}...` : bare);
}
