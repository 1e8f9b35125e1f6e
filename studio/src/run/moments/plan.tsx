import type { Json } from 'echelon/client'
import { JsonView } from '../../pieces/json-view.tsx'
import { isObject, textOf } from '../story/fields.ts'
import classes from './plan.module.css'
import { Prose } from './prose.tsx'
import { Values } from './values.tsx'

/** A model's plan: its tool calls in order, or the reason why it makes none. */
export function Plan({ plan }: { readonly plan: Json }) {
  const cannot = isObject(plan) ? textOf(plan, 'cannot') : undefined
  if (cannot !== undefined) return <Prose>{cannot}</Prose>
  const actions = isObject(plan) ? plan['actions'] : plan
  if (!Array.isArray(actions)) return <JsonView value={plan} open={2} />
  return (
    <ol className={classes['plan']}>
      {actions.map((action: Json, index) => (
        <li key={`${index}`}>
          <Action action={action} />
        </li>
      ))}
    </ol>
  )
}

function Action({ action }: { readonly action: Json }) {
  const tool = isObject(action) ? textOf(action, 'tool') : undefined
  if (!isObject(action) || tool === undefined) return <JsonView value={action} open={1} />
  return (
    <>
      <code className={classes['tool']}>{tool}</code>{' '}
      <Values value={action['args'] ?? action['input'] ?? {}} />
    </>
  )
}
