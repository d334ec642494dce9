/** The event that records what somebody did to a session. The fold ignores it: it says nothing about what the session does. */
export const actionName = 'Action';
