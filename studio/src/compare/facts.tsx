import { Table, Text } from '@mantine/core'
import type { RunView } from 'echelon/client'
import type { ReactNode } from 'react'
import { CheckedBadge } from '../pieces/checked-badge.tsx'
import { TextLink } from '../pieces/links.tsx'
import { money } from '../pieces/money.ts'
import { StatusBadge } from '../pieces/status-badge.tsx'
import { duration } from '../pieces/time.tsx'
import classes from './compare.module.css'

interface FactsProps {
  readonly first: RunView
  readonly second: RunView
}

interface Fact {
  readonly name: string
  /** Returns the value that is compared. */
  readonly of: (run: RunView) => string
  /** A different way to show it than as this text. */
  readonly show?: (run: RunView) => ReactNode
}

const NONE = '–'

const FACTS: readonly Fact[] = [
  { name: 'Asked', of: ({ asked }) => asked ?? NONE },
  { name: 'Answer', of: ({ end }) => end?.text ?? NONE },
  {
    name: 'Verdict',
    of: ({ end }) => end?.checked ?? NONE,
    show: ({ end }) => (end === null ? NONE : <CheckedBadge checked={end.checked} />),
  },
  {
    name: 'Status',
    of: ({ status }) => status,
    show: ({ status }) => <StatusBadge status={status} />,
  },
  { name: 'Models', of: ({ end }) => end?.rungs.map(({ model }) => model).join(', ') ?? NONE },
  { name: 'Cost', of: ({ end }) => (end === null ? NONE : money(end.cost)) },
  {
    name: 'Tokens',
    of: ({ end }) => (end === null ? NONE : COUNT.format(end.input_tokens + end.output_tokens)),
  },
  {
    name: 'Time',
    of: ({ began_at: began, changed_at: changed }) =>
      duration(Date.parse(changed) - Date.parse(began)),
  },
]

const COUNT = new Intl.NumberFormat('en-US')

/** The results of two runs; what differs is marked. */
export const Facts = ({ first, second }: FactsProps) => (
  <Table.ScrollContainer minWidth={340}>
    <Table layout="fixed" className={classes['table']}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td w="6rem" />
          <Table.Th>
            <RunLink run={first}>One run</RunLink>
          </Table.Th>
          <Table.Th>
            <RunLink run={second}>The other run</RunLink>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {FACTS.map(({ name, of, show = of }) => (
          <Table.Tr key={name} data-differs={of(first) !== of(second)}>
            <Table.Th scope="row">
              <Text size="sm" c="dimmed">
                {name}
              </Text>
            </Table.Th>
            <Table.Td className={classes['cell']}>{show(first)}</Table.Td>
            <Table.Td className={classes['cell']}>{show(second)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const RunLink = ({ run, children }: { readonly run: RunView; readonly children: string }) => (
  <TextLink to="/runs/$run" params={{ run: run.id }}>
    {children}
  </TextLink>
)
