/** Why a file that the user named cannot be read, as the end of a sentence. */
export function unreadableReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && cause.code === 'ENOENT' ? 'there is no such file' : cause.message
}
