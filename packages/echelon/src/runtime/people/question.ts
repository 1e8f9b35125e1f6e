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
  /** Takes it back: the call is over. */
  readonly over: AbortSignal
}

/**
 * Asks the user on behalf of a call that is under way, and waits: on nobody's time. A call that is
 * repeated after a crash finds the replies to the questions that it asks again, word for word.
 * @param place the call, and which of its questions it is
 * @returns the reply; `null` when the run is canceled, or the call over before
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
  // A call that asks is under way: it would be repeated.
  tree.waits.hold()
  try {
    // Nobody is asked after a cancel or the end of the call, which may come while others are.
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
