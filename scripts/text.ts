// How commands lay out text: tables and times.

/** RFC 3339 in UTC, whole seconds. */
export function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Columns as wide as their widest cell, two spaces apart, without blanks at line ends. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ) // prettier-ignore
    .join('\n');
}
