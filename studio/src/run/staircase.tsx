import { Group, ScrollArea, Title, Tooltip } from '@mantine/core'
import {
  IconArrowBigUpLine,
  IconBrain,
  IconFlag,
  IconHandStop,
  IconScale,
  IconShieldCheck,
  IconShieldX,
  IconTool,
} from '@tabler/icons-react'
import type { RunEndView } from 'echelon/client'
import type { ReactNode } from 'react'
import { duration } from '../pieces/time.tsx'
import { modelColor } from './model-color.ts'
import classes from './staircase.module.css'
import type { Moment } from './story/moment.ts'
import { rungsOf } from './story/rungs.ts'
import { type Stair, stairsOf } from './story/stairs.ts'

interface StaircaseProps {
  readonly story: readonly Moment[]
  readonly end: RunEndView | null
  /** Shows a moment in the timeline. */
  readonly onGo: (key: string) => void
}

/** The path of the task over the models: a row for each, the smallest at the bottom, from left to right. */
export function Staircase({ story, end, onGo }: StaircaseProps) {
  const rungs = rungsOf(story, end)
  const stairs = stairsOf(story, rungs)
  if (rungs.length === 0) return null
  const rows = rungs.length
  return (
    <section aria-label="The path of the task">
      <Title order={2} size="h4" mb="sm">
        The path of the task
      </Title>
      <ScrollArea type="auto" offsetScrollbars="x">
        <div
          className={classes['stairs']}
          style={{
            gridTemplateRows: `repeat(${rows}, auto)`,
            gridTemplateColumns: `max-content repeat(${Math.max(stairs.length, 1)}, max-content) 1fr`,
          }}
        >
          {rungs.map((model, rung) => (
            <div
              key={model}
              className={classes['model']}
              style={{ gridRow: rows - rung }}
              data-color={modelColor(rung)}
            >
              {model}
            </div>
          ))}
          {rungs.map((model, rung) => (
            <div key={model} className={classes['tread']} style={{ gridRow: rows - rung }} />
          ))}
          {stairs.map((stair, index) => (
            <Step
              key={stair.key}
              stair={stair}
              row={rows - stair.rung}
              column={index + 2}
              onGo={onGo}
            />
          ))}
        </div>
      </ScrollArea>
    </section>
  )
}

interface StepProps {
  readonly stair: Stair
  readonly row: number
  readonly column: number
  readonly onGo: (key: string) => void
}

function Step({ stair, row, column, onGo }: StepProps) {
  const { key, kind, title, rung, ms, label, isOpen } = stair
  const told = ms === undefined ? title : `${title} (${duration(ms)})`
  return (
    <Tooltip label={told} multiline maw={320}>
      <button
        type="button"
        onClick={() => onGo(key)}
        className={classes['step']}
        style={{ gridRow: row, gridColumn: column }}
        data-kind={kind}
        data-color={modelColor(rung)}
        data-open={isOpen}
        aria-label={`${label}: ${told}`}
      >
        <Group gap={5} wrap="nowrap" component="span">
          {ICONS[kind]}
          <span>{label}</span>
        </Group>
      </button>
    </Tooltip>
  )
}

const SIZE = { size: 16, stroke: 1.8, 'aria-hidden': true } as const

const ICONS: Readonly<Record<Stair['kind'], ReactNode>> = {
  model: <IconBrain {...SIZE} />,
  tools: <IconTool {...SIZE} />,
  check: <IconScale {...SIZE} />,
  good: <IconShieldCheck {...SIZE} />,
  bad: <IconShieldX {...SIZE} />,
  up: <IconArrowBigUpLine {...SIZE} />,
  person: <IconHandStop {...SIZE} />,
  end: <IconFlag {...SIZE} />,
}
