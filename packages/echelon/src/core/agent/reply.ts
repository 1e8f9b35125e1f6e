import { isJsonObject, type Json } from '../value/json.ts'
import { type Approval, APPROVALS, type ApprovalRequest, isApproval } from './permission.ts'

/** Returns what is wrong with a reply to a request, as a message; `undefined` for a valid reply. */
export function replyProblem(about: Json, reply: Json): string | undefined {
  if (isApproval(about)) return approvalProblem(about, reply)
  const schema = isJsonObject(about) ? about['schema'] : undefined
  const wantsYesOrNo = isJsonObject(schema) && schema['type'] === 'boolean'
  // Any other value, such as "yes", would count as a no.
  if (wantsYesOrNo && typeof reply !== 'boolean') return 'answer with true or false'
  return undefined
}

function approvalProblem({ choices, hash }: ApprovalRequest, reply: Json): string | undefined {
  const choice = choiceOf(reply)
  if (choice === undefined) return `answer with one of ${choices.join(', ')}`
  if (choice === 'always' && !choices.includes(choice)) {
    return `nothing remembers an answer here; answer with one of ${choices.join(', ')}`
  }
  if (isForOther(reply, hash)) {
    return 'the answer is for another call than the one that waits; look at the request again'
  }
  return undefined
}

/** Returns whether an answer carries the hash of another call than the waiting one. */
export const isForOther = (reply: Json, hash: string): boolean =>
  isJsonObject(reply) && reply['hash'] !== undefined && reply['hash'] !== hash

/** Reads an approval from a reply: either the choice itself or an object with `choice` and `hash`. */
export function choiceOf(reply: Json): Approval | undefined {
  const choice = isJsonObject(reply) ? reply['choice'] : reply
  return APPROVALS.find((one) => one === choice)
}
