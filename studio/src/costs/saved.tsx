import { Accordion, Text } from '@mantine/core'
import type { SavedView } from 'echelon/client'

/** Explains how the savings are estimated. */
export const Saved = ({ saved }: { readonly saved: SavedView }) => (
  <Accordion variant="contained">
    <Accordion.Item value="method">
      <Accordion.Control>How are the savings estimated?</Accordion.Control>
      <Accordion.Panel>
        <Text size="sm" maw="75ch">
          {saved.method}
        </Text>
        <Text size="sm" mt="xs">
          {countOf(saved.runs, 'run is', 'runs are')} compared here,{' '}
          {countOf(saved.left_out, 'is', 'are')} left out.
        </Text>
      </Accordion.Panel>
    </Accordion.Item>
  </Accordion>
)

const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
