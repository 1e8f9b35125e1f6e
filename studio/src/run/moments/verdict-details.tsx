import { Text } from '@mantine/core'
import type { Json } from 'echelon/client'
import { JsonView } from '../../pieces/json-view.tsx'
import { isObject } from '../story/fields.ts'
import type { MomentOf } from '../story/moment.ts'
import { shownValue } from './shown-value.ts'

/** The evidence of a verdict: the verifier's own calculations. */
export function VerdictDetails({ moment }: { readonly moment: MomentOf<'verdict'> }) {
  const { checks, ...rest } = moment.details
  const own = Array.isArray(checks) ? checks : []
  return (
    <>
      {own.length > 0 && (
        <Text size="sm" c="dimmed">
          The verifier worked it out itself, without the plan of the model:
        </Text>
      )}
      {own.map((check: Json, index) => (
        <Text key={`${index}`} size="sm" component="div" ff="monospace">
          {checkText(check)}
        </Text>
      ))}
      {Object.keys(rest).length > 0 && <JsonView value={rest} open={1} />}
    </>
  )
}

function checkText(check: Json): string {
  if (!isObject(check)) return JSON.stringify(check)
  const { tool, args, output_summary: output } = check
  return `${shownValue(tool)} ${shownValue(args)} → ${valueIn(output)}`
}

/** The value in the summary of a result, which is JSON unless it was cut. */
function valueIn(summary: Json | undefined): string {
  if (typeof summary !== 'string') return JSON.stringify(summary ?? null)
  try {
    const value: Json = JSON.parse(summary)
    return isObject(value) && value['value'] !== undefined ? shownValue(value['value']) : summary
  } catch {
    return summary
  }
}
