import { Table } from '@mantine/core'
import type { CostGroupView, CostReport } from 'echelon/client'
import { money } from '../pieces/money.ts'
import { shortDay } from './days.ts'

const HEADS: Readonly<Record<CostGroupView, string>> = {
  day: 'Day (UTC)',
  agent: 'Agent',
  model: 'Model',
  user: 'User',
}

const COUNT = new Intl.NumberFormat('en-US')

/** The sums as numbers. */
export function CostTable({ report }: { readonly report: CostReport }) {
  const { by, rows } = report
  const shown = by === 'day' ? rows.toSorted((a, b) => (a.key < b.key ? 1 : -1)) : rows
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table striped highlightOnHover verticalSpacing="xs" tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{HEADS[by]}</Table.Th>
            <Table.Th ta="right">Runs</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
            <Table.Th ta="right">Tokens in</Table.Th>
            <Table.Th ta="right">Tokens out</Table.Th>
            <Table.Th ta="right">Cost</Table.Th>
            <Table.Th ta="right">Saved</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Td>{nameOf(row.key, by)}</Table.Td>
              <Table.Td ta="right">{COUNT.format(row.runs)}</Table.Td>
              <Table.Td ta="right">{COUNT.format(row.calls)}</Table.Td>
              <Table.Td ta="right">{COUNT.format(row.input_tokens)}</Table.Td>
              <Table.Td ta="right">{COUNT.format(row.output_tokens)}</Table.Td>
              <Table.Td ta="right">
                {money(row.cost)}
                {row.unpriced > 0 && ' + unknown'}
              </Table.Td>
              <Table.Td ta="right">{money(row.saved)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function nameOf(key: string, by: CostGroupView): string {
  if (by === 'day') return shortDay(key)
  if (key !== '') return key
  return by === 'model' ? 'no model' : 'unknown'
}
