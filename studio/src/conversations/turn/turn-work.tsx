import { Accordion, Paper, Text } from '@mantine/core'
import { IconHandStop, IconTool } from '@tabler/icons-react'
import type { RunView } from 'echelon/client'
import { PersonDetails } from '../../run/moments/person-details.tsx'
import { ToolCalls } from '../../run/moments/tool-calls.tsx'
import type { Moment, MomentOf } from '../../run/story/moment.ts'
import classes from './turn.module.css'

interface TurnWorkProps {
  readonly story: readonly Moment[]
  readonly run: RunView
}

/** The agent's work in a turn: its tool calls, and its questions to a person. */
export function TurnWork({ story, run }: TurnWorkProps) {
  const shown = story.filter(
    (moment) => (moment.type === 'tools' && moment.calls.length > 0) || moment.type === 'person',
  )
  return shown.map((moment) =>
    moment.type === 'person' ? (
      <Question key={moment.key} moment={moment} run={run} />
    ) : moment.type === 'tools' ? (
      <Tools key={moment.key} moment={moment} />
    ) : null,
  )
}

function Question({ moment, run }: { readonly moment: MomentOf<'person'>; readonly run: RunView }) {
  const isOpen = moment.reply === undefined
  return (
    <Paper withBorder p="md" className={isOpen ? classes['open'] : undefined}>
      <Text fw={600} component="h2">
        <IconHandStop size={18} stroke={1.8} aria-hidden className={classes['sign']} />{' '}
        {isOpen ? 'It waits for you' : moment.title}
      </Text>
      <PersonDetails moment={moment} run={run} />
    </Paper>
  )
}

function Tools({ moment }: { readonly moment: MomentOf<'tools'> }) {
  const { calls, key } = moment
  const isWorking = calls.some(({ outcome }) => outcome === undefined)
  const names = [...new Set(calls.map(({ tool }) => tool))].join(', ')
  return (
    <Accordion variant="contained" chevronPosition="left">
      <Accordion.Item value={key}>
        <Accordion.Control>
          <Text size="sm" span>
            <IconTool size={16} stroke={1.8} aria-hidden className={classes['sign']} />{' '}
            {isWorking ? `Uses ${names} …` : `Used ${names}`}
          </Text>
        </Accordion.Control>
        <Accordion.Panel>
          <ToolCalls calls={calls} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
