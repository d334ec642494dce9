/** Cleans what a terminal has shown, or a host that says so. */

/** Keep text and colour sequences; remove everything else that a terminal would obey. */
export const keepColours = (text: string): string =>
  text
    .replace(/\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .split(/(\x1b\[[\d;:]*m)/)
    .map((piece, n) =>
      n % 2
        ? piece
        : piece.replace(/\x1b(?:\[[\d;:?]*[ -/]*[@-~]|[ -/]*[0-~])?|[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, ''),
    )
    .join('');
