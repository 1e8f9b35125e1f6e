import type { Json } from 'echelon/client'
import { JsonView } from '../../pieces/json-view.tsx'
import { isObject } from '../story/fields.ts'
import { shownValue } from './shown-value.ts'
import classes from './values.module.css'

/** Longer values get a tree or lines of their own. */
const SHORT = 120

const isShort = (value: Json): boolean =>
  value === null || typeof value !== 'object' ? shownValue(value).length <= SHORT : false

interface ValuesProps {
  readonly value: Json
  /** Levels of a tree that are open at first. */
  readonly open?: number
}

/** A JSON value: a few short fields in a line, anything else as a tree. */
export function Values({ value, open = 1 }: ValuesProps) {
  if (typeof value === 'string') return <span className={classes['text']}>{value}</span>
  if (isShort(value)) return <span className={classes['value']}>{shownValue(value)}</span>
  const fields = isObject(value) ? Object.entries(value) : []
  const isFlat = isObject(value) && fields.length <= 6 && fields.every(([, one]) => isShort(one))
  if (!isFlat) return <JsonView value={value} open={open} />
  return (
    <span className={classes['fields']}>
      {fields.map(([name, one]) => (
        <span key={name}>
          <span className={classes['name']}>{name}</span>{' '}
          <span className={classes['value']}>{shownValue(one)}</span>
        </span>
      ))}
    </span>
  )
}
