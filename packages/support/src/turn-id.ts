/** What the run of a turn is called; no two sessions have one in common. */
export const turnId = (sessionId: string, interactionId: string): string =>
  `${sessionId.replaceAll('%', '%25').replaceAll('/', '%2F')}/${interactionId}`
