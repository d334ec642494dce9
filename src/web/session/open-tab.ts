/** Opens a tab of the session by its name, from a key. */

/** The tabs that are on the screen. */
let opener: ((name: string) => void) | null = null;
/** A tab to open when the tabs come: on a narrow screen the session is opened first. */
let wanted: string | null = null;

export const openTab = (name: string): void => {
  wanted = name;
  if (opener) opener(name);
};

/** Registers the tabs on the screen, and opens what is wanted; returns how to remove them. */
export const onOpenTab = (open: (name: string) => void): (() => void) => {
  opener = name => {
    wanted = null;
    open(name);
  };
  if (wanted !== null) opener(wanted);
  return () => {
    opener = null;
  };
};
