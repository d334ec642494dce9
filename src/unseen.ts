/** Characters without width, and those that change the direction of writing: they would hide or shift the text beside them. */
export const unseen =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{fe00}-\u{fe0f}\u{e0000}-\u{e007f}]/gu;
