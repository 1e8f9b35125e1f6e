import type { RunView } from 'echelon/client'
import { CheckedBadge } from '../../pieces/checked-badge.tsx'
import { TextLink } from '../../pieces/links.tsx'
import { money } from '../../pieces/money.ts'
import { StatusBadge } from '../../pieces/status-badge.tsx'
import classes from './turn.module.css'

/** The model that answered, the cost, and a link to the whole run. */
export function TurnFacts({ run }: { readonly run: RunView }) {
  const { end, id, status } = run
  const models = end?.rungs.map(({ model }) => model) ?? []
  return (
    <div className={classes['facts']}>
      {status !== 'finished' && <StatusBadge status={status} />}
      {end !== null && end.checked !== 'unchecked' && <CheckedBadge checked={end.checked} />}
      {models.length > 0 && <span>{models.join(', then ')}</span>}
      {end !== null && <span>{end.cost === 0 ? 'no cost' : money(end.cost)}</span>}
      <TextLink to="/runs/$run" params={{ run: id }} inherit>
        See the whole run
      </TextLink>
    </div>
  )
}
