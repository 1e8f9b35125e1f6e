/** The run id of a turn; unique across sessions. */
export const turnId = (sessionId: string, interactionId: string): string =>
  `${sessionId.replaceAll('%', '%25').replaceAll('/', '%2F')}/${interactionId}`
