/** The event that records an action of a caller. The fold ignores it, because it says nothing about the session's state. */
export const actionName = 'Action';
