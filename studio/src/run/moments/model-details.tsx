import { Alert } from '@mantine/core'
import { money } from '../../pieces/money.ts'
import { duration } from '../../pieces/time.tsx'
import type { MomentOf } from '../story/moment.ts'
import classes from './model-details.module.css'
import { Plan } from './plan.tsx'
import { Prose } from './prose.tsx'

/** A model's answer, its tokens and time, and the failed attempts before it. */
export function ModelDetails({ moment }: { readonly moment: MomentOf<'model'> }) {
  const { text, plan, usage, cost, ended, at, troubles } = moment
  const took = [
    ...(ended === undefined ? [] : [duration(ended - at)]),
    ...(usage === undefined ? [] : [`${usage.input} tokens in, ${usage.output} out`]),
    ...(cost === undefined ? [] : [cost === null ? 'price unknown' : money(cost)]),
  ]
  return (
    <>
      {plan !== undefined && <Plan plan={plan} />}
      {text !== '' && plan === undefined && <Prose>{text}</Prose>}
      {troubles.map((trouble) => (
        <Alert key={trouble} color="yellow" p="xs" mt={6}>
          {trouble}
        </Alert>
      ))}
      {took.length > 0 && <div className={classes['took']}>{took.join(' · ')}</div>}
    </>
  )
}
