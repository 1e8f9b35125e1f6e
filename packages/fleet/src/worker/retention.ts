import { DBOS } from '@dbos-inc/dbos-sdk'

/** Rows that go at once, so that no transaction is long. */
const PAGE = 500

/**
 * Deletes legs that are over since long. Their runs stay in the store, so a repeated order of one is still
 * left as it is.
 */
export async function deleteOldLegs(endedBeforeMs: number): Promise<number> {
  const completedBefore = new Date(Date.now() - endedBeforeMs).toISOString()
  let deleted = 0
  for (;;) {
    const old = await DBOS.listWorkflows({
      completedBefore,
      limit: PAGE,
      loadInput: false,
      loadOutput: false,
    })
    await DBOS.deleteWorkflows(old.map(({ workflowID }) => workflowID))
    deleted += old.length
    if (old.length < PAGE) return deleted
  }
}
