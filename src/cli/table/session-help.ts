/** How commands take a session, for their help. */
export const sessionHelp = `A session is a prefix of its id with at least 6 hex digits, or words of its title, project, branch or tags. If
several match, you choose one; without a terminal this exits with 5 and lists them. \`4dd7@devbox\` is a session of another host.`;
