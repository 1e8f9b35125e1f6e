import { Code, Text } from '@mantine/core'
import type { Json, JsonObject } from 'echelon/client'
import { JsonView } from '../pieces/json-view.tsx'
import classes from './approval-card.module.css'

interface CallShownProps {
  readonly tool: string
  readonly input: Json
}

/** The call that waits, with each field of its input. */
export function CallShown({ tool, input }: CallShownProps) {
  const fields = isObject(input) ? Object.entries(input) : undefined
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        It would call <Code>{tool}</Code>
        {fields?.length === 0 ? ' without any input.' : ' with'}
      </Text>
      {fields === undefined ? (
        <JsonView value={input} open={3} />
      ) : (
        <dl className={classes['fields']}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>
                {typeof value === 'object' && value !== null ? (
                  <JsonView value={value} open={2} />
                ) : (
                  saidOf(value)
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field's name in words: `order_id` is the `Order`. */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .replace(/ id$/i, '')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function saidOf(value: Json): string {
  if (value === null || value === '') return 'none'
  return typeof value === 'boolean'
    ? value
      ? 'yes'
      : 'no'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}
