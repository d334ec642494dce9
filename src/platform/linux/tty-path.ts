/** Return the path of a terminal from its device number in /proc; null for one that is neither a pseudoterminal nor a console. */
export const ttyPath = (device: number): string | null => {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : null;
};
