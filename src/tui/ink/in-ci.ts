/** Ink shows only its last frame where CI is set. The board only runs on terminals, where every frame is wanted. */
export default false;
