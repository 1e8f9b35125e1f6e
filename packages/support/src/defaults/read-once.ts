/**
 * What comes along is read when it is first asked for, and shared by all agents of the process: their examples and
 * documents are large. What could not be read is tried again.
 */
export function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    }))
}
