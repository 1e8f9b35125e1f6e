import { isJsonObject, type Json } from 'echelon/runtime'
import type { RunSummary } from 'echelon/internal/store'
import { type Principal, sessionIn } from '../access/principal.ts'

/** The owner and agent of a run, as the server stores them with it. */
export const madeBy = ({ name }: Principal, agent: string): Json => ({
  served: { by: name, agent },
})

/** The owner of a run; `undefined` for one started elsewhere, such as by the command. */
export function ownerOf({
  made,
  session,
}: Pick<RunSummary, 'made' | 'session'>): string | undefined {
  const served = isJsonObject(made) ? made['served'] : undefined
  const by = isJsonObject(served) ? served['by'] : undefined
  if (typeof by === 'string') return by
  return session === null ? undefined : sessionIn(session)?.owner
}

/** Whether a user may see, answer and cancel the run. */
export const mayTouch = (
  { name, isOperator = false }: Principal,
  run: Pick<RunSummary, 'made' | 'session'>,
): boolean => isOperator || ownerOf(run) === name

/** The name under which a server started the run; `undefined` for a run that was started elsewhere. */
export function servedAs({
  made,
  session,
}: Pick<RunSummary, 'made' | 'session'>): string | undefined {
  const served = isJsonObject(made) ? made['served'] : undefined
  const agent = isJsonObject(served) ? served['agent'] : undefined
  if (typeof agent === 'string') return agent
  return session === null ? undefined : sessionIn(session)?.agent
}
