import { ActionIcon, Group, Paper, Slider, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { StepView } from 'echelon/client'
import type { ReactNode } from 'react'
import { stepTitle } from './step-title.ts'

interface StepSliderProps {
  /** Of the run itself, in order. */
  readonly steps: readonly StepView[]
  readonly shown: number
  readonly onGo: (step: number) => void
  /** Actions that are offered at the step. */
  readonly children: ReactNode
}

/** More marks would run into each other. */
const MOST_MARKS = 24

/** Chooses a step: by dragging, with the arrow keys, or one at a time. */
export function StepSlider({ steps, shown, onGo, children }: StepSliderProps) {
  const index = steps.findIndex(({ seq }) => seq === shown)
  const step = steps[index]
  const last = steps.length - 1
  const to = (at: number): void => {
    const seq = steps[at]?.seq
    if (seq !== undefined) onGo(seq)
  }
  return (
    <Paper withBorder p="md">
      <Group gap="sm" wrap="nowrap">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="The step before"
          disabled={index <= 0}
          onClick={() => to(index - 1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Slider
          flex={1}
          min={0}
          max={Math.max(last, 1)}
          value={index}
          onChange={to}
          label={null}
          thumbLabel="Step"
          thumbValueText={step === undefined ? '' : titleOf(step)}
          marks={steps.length <= MOST_MARKS ? steps.map((_, value) => ({ value })) : []}
          disabled={last < 1}
        />
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="The next step"
          disabled={index >= last}
          onClick={() => to(index + 1)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <Group mt="sm" justify="space-between">
        <Text fw={600} aria-live="polite">
          {step !== undefined && titleOf(step)}{' '}
          <Text span c="dimmed" fw={400} inherit>
            {index + 1} of {steps.length}
          </Text>
        </Text>
        {children}
      </Group>
    </Paper>
  )
}

const titleOf = (step: StepView): string => `Step ${step.seq}: ${stepTitle(step)}`
