import { isJsonObject } from 'echelon/runtime'
import type { OpenRequest, RunSummary } from '@echelon/store'
import { questionOf } from '../conversation/question.ts'
import { clean } from '../terminal/clean.ts'
import { quoted, STARTED_AS } from '../started-as.ts'

/** Commands that answer the open requests of a run. */
export function howToAnswer({
  id,
  requests,
}: Pick<RunSummary, 'id' | 'requests'>): readonly string[] {
  const several = requests.length > 1
  return requests.map((request) => {
    const which = several ? ` --request ${quoted(clean(request.id))}` : ''
    return `${STARTED_AS} runs answer ${quoted(clean(id.slice(0, 8)))} ${replyTo(request)}${which}`
  })
}

/** A reply to type, as a template. */
function replyTo({ about }: OpenRequest): string {
  if (questionOf(about).tool !== undefined) return 'once'
  const schema = isJsonObject(about) ? about['schema'] : undefined
  const type = isJsonObject(schema) ? schema['type'] : undefined
  if (type === 'boolean') return 'yes'
  return type === undefined || type === 'string' ? "'YOUR ANSWER'" : "'{…}'"
}
