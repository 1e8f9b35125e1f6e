import { Text } from '@mantine/core'
import type { ApprovalAbout } from 'echelon/client'
import { money } from '../pieces/money.ts'
import classes from './approval-card.module.css'

/** The subject of a decision, in the words that the customer saw. */
export function About({ about }: { readonly about: ApprovalAbout }) {
  const { customer, order, items, amount, confirmation } = about
  const fields = [
    ['Amount', amount === null ? 'not known' : money(amount)],
    ['Items', items ?? 'not known'],
    ['Order', order ?? 'not known'],
    ['Customer', customer ?? 'not known'],
  ] as const
  return (
    <div>
      <dl className={classes['fields']}>
        {fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {confirmation !== null && (
        <Text size="sm" mt={4}>
          The customer said yes to: “{confirmation}”
        </Text>
      )}
    </div>
  )
}
