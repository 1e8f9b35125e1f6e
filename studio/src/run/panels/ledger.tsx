import { Progress, Stack, Table, Text, Title } from '@mantine/core'
import type { LedgerView } from 'echelon/client'
import { money } from '../../pieces/money.ts'
import { amount, counterLabel } from './counter.ts'
import classes from './ledger.module.css'

/** The limits of a run, the amounts used and left, by limit and by model. */
export function Ledger({ ledger }: { readonly ledger: LedgerView }) {
  const limited = Object.keys(ledger.limits)
  const others = Object.keys(ledger.spent).filter(
    // Those of one model are in its row.
    (name) => !limited.includes(name) && !name.includes('.'),
  )
  return (
    <Stack gap="xl">
      <section>
        <Title order={2} size="h5" mb="xs">
          Limits
        </Title>
        {limited.length === 0 && <Text c="dimmed">This run has no limits.</Text>}
        <div className={classes['limits']}>
          {limited.map((name) => (
            <Limit key={name} name={name} ledger={ledger} />
          ))}
        </div>
      </section>
      {ledger.models.length > 0 && <Models ledger={ledger} />}
      {others.length > 0 && (
        <section>
          <Title order={2} size="h5" mb="xs">
            Counted without a limit
          </Title>
          <Table>
            <Table.Tbody>
              {others.map((name) => (
                <Table.Tr key={name}>
                  <Table.Td>{counterLabel(name)}</Table.Td>
                  <Table.Td ta="right">{amount(name, ledger.spent[name] ?? 0)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Stack>
  )
}

interface LimitProps {
  readonly name: string
  readonly ledger: LedgerView
}

function Limit({ name, ledger }: LimitProps) {
  const limit = ledger.limits[name] ?? 0
  const spent = ledger.spent[name] ?? 0
  const reserved = ledger.reserved[name] ?? 0
  const left = ledger.left[name] ?? limit - spent - reserved
  const share = (part: number): number => (limit === 0 ? 0 : Math.min(100, (100 * part) / limit))
  return (
    <div className={classes['limit']}>
      <Text fw={600}>{counterLabel(name)}</Text>
      <Progress.Root size="lg" aria-hidden>
        <Progress.Section value={share(spent)} color="echelon" />
        <Progress.Section value={share(reserved)} color="orange" striped animated />
      </Progress.Root>
      <dl className={classes['amounts']}>
        <Amount label="Spent" value={amount(name, spent)} kind="spent" />
        <Amount label="Reserved" value={amount(name, reserved)} kind="reserved" />
        <Amount label="Left" value={amount(name, left)} kind="left" />
        <Amount label="Limit" value={amount(name, limit)} kind="limit" />
      </dl>
    </div>
  )
}

interface AmountProps {
  readonly label: string
  readonly value: string
  readonly kind: string
}

const Amount = ({ label, value, kind }: AmountProps) => (
  <div data-kind={kind}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

const Models = ({ ledger }: { readonly ledger: LedgerView }) => (
  <section>
    <Title order={2} size="h5" mb="xs">
      By model
    </Title>
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Model</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
            <Table.Th ta="right">Tokens in</Table.Th>
            <Table.Th ta="right">Tokens out</Table.Th>
            <Table.Th ta="right">Cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ledger.models.map((model) => (
            <Table.Tr key={model.role}>
              <Table.Td>
                {model.model ?? 'of a sub-run'}{' '}
                <Text span c="dimmed" size="sm">
                  as {model.role}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{model.calls}</Table.Td>
              <Table.Td ta="right">{COUNT.format(model.input_tokens)}</Table.Td>
              <Table.Td ta="right">{COUNT.format(model.output_tokens)}</Table.Td>
              <Table.Td ta="right">
                {money(model.cost)}
                {model.unpriced > 0 && ` and ${model.unpriced} of unknown price`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </section>
)

const COUNT = new Intl.NumberFormat('en-US')
