import { isJsonObject } from 'echelon/runtime'
import type { OpenRequest, RunSummary } from '@echelon/store'
import { questionOf } from '../chat/terminal/read-reply.ts'
import { clean } from '../terminal/clean.ts'
import { quoted, STARTED_AS } from '../started-as.ts'

/** The commands that answer what a run waits for. */
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

/** What can be written, the likeliest first. */
function replyTo({ about }: OpenRequest): string {
  if (questionOf(about).tool !== undefined) return 'once'
  const schema = isJsonObject(about) ? about['schema'] : undefined
  const type = isJsonObject(schema) ? schema['type'] : undefined
  if (type === 'boolean') return 'yes'
  return type === undefined || type === 'string' ? "'YOUR ANSWER'" : "'{…}'"
}
