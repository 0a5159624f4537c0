// How commands lay out text: tables and times.

/** RFC 3339 in UTC, whole seconds. */
export function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Columns as wide as their widest cell, two spaces apart, without blanks at line ends. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
