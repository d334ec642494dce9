/** From 2.1.328 on hooks and transcripts report a long paste between marks: `<pasted_content id="7f6c">`. */

const marks = /<pasted_content id="[^"<>]*">\n?|\n?<\/pasted_content id="[^"<>]*">/g;

/** The prompt as it was pasted. */
export const withoutPasteMarks = (prompt: string): string => {
  const text = prompt.replace(marks, '');
  return text === prompt ? prompt : text.trim();
};
