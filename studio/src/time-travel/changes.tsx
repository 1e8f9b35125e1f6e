import { Text } from '@mantine/core'
import type { Json, PatchOperation } from 'echelon/client'
import { JsonView } from '../pieces/json-view.tsx'
import { atPointer } from './at-pointer.ts'
import classes from './changes.module.css'

interface ChangesProps {
  /** The state before. */
  readonly before: Json
  readonly changes: readonly PatchOperation[]
}

/** The changes that a step made, with the values before and after. */
export const Changes = ({ before, changes }: ChangesProps) => (
  <ul className={classes['changes']}>
    {changes.map(({ op, path, value }) => (
      <li key={path} data-op={op}>
        <Text size="sm" ff="monospace" fw={600} component="div" className={classes['path']}>
          {path.slice(1).replaceAll('/', ' › ')}
        </Text>
        {op !== 'add' && <Value label="was" value={atPointer(before, path)} />}
        {op !== 'remove' && <Value label={op === 'add' ? 'new' : 'is'} value={value} />}
      </li>
    ))}
  </ul>
)

interface ValueProps {
  readonly label: string
  readonly value: Json | undefined
}

function Value({ label, value }: ValueProps) {
  const isDeep = typeof value === 'object' && value !== null
  return (
    <div className={classes['value']} data-label={label}>
      <Text size="xs" c="dimmed" span className={classes['label']}>
        {label}
      </Text>
      {isDeep ? (
        <JsonView value={value} open={1} />
      ) : (
        <span className={classes['text']}>{value === undefined ? '–' : JSON.stringify(value)}</span>
      )}
    </div>
  )
}
