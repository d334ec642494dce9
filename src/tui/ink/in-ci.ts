/** Ink shows only its last frame where CI is set. The board runs on terminals alone, and a terminal is looked at. */
export default false;
