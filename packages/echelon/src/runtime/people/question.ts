import { canonicalJson } from '../../core/value/canonical-json.ts'
import { digestText } from '../../core/value/digest.ts'
import type { Json, JsonObject } from '../../core/value/json.ts'
import { recordDone } from './approval.ts'
import type { Batch } from '../tools/batch.ts'
import { pause } from '../model/deadline.ts'
import { request } from './request.ts'

interface Question {
  readonly question: string
  readonly schema: JsonObject | undefined
  /** Withdraws the question when the call is over. */
  readonly over: AbortSignal
}

/**
 * Asks the user on behalf of a call in flight. The wait counts toward no time limit. A call that is
 * repeated after a crash gets the recorded replies if it asks the same questions word for word.
 * @param place the call, and the number of the question in it
 * @returns the reply; `null` when the run is canceled or the call ends first
 */
export async function askWithinCall(
  batch: Batch,
  { call, number }: { readonly call: number; readonly number: number },
  { question, schema, over }: Question,
): Promise<Json> {
  const { branch, seq } = batch
  const { tree, path } = branch
  const about = { question, schema: schema ?? null }
  const asked = digestText(canonicalJson(about)).toString(36)
  const id = `${tree.runId}:${path}${seq}.${call}?${number}.${asked}`
  recordDone(batch)
  tree.endWork()
  // A suspension would repeat the call that asks.
  tree.waits.hold()
  try {
    // Do not ask after a cancel or the end of the call, which may come while other requests are open.
    const asking = tree.requests.inTurn(async () =>
      tree.isCanceled || over.aborted
        ? undefined
        : request(branch, {
            id,
            seq,
            about,
            call,
            askedAt: branch.leftOpen(seq)?.questions.get(id),
            expiresInMs: Infinity,
            over,
          }),
    )
    const seen = await Promise.race([asking, pause(tree.clock, Infinity, over)])
    return seen?.reply ?? null
  } finally {
    tree.waits.release()
    tree.beginWork()
  }
}
