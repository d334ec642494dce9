/** The flag that most commands share. */
export const json = { help: 'Print JSON' };
