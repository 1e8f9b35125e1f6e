import { Badge, type MantineColor, Tooltip } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleX,
  IconShieldCheck,
} from '@tabler/icons-react'
import type { RunEndView } from 'echelon/client'
import type { ComponentType } from 'react'

interface Look {
  readonly label: string
  readonly color: MantineColor
  readonly meaning: string
  readonly Icon: ComponentType<{ readonly size?: number }>
}

const LOOKS: Readonly<Record<RunEndView['checked'], Look>> = {
  proved: {
    label: 'Proved',
    color: 'teal',
    meaning: 'Only the right answer can pass the check.',
    Icon: IconShieldCheck,
  },
  supported: {
    label: 'Supported',
    color: 'cyan',
    meaning: 'The score of the answer reaches the threshold, which is not a proof.',
    Icon: IconCircleCheck,
  },
  unsupported: {
    label: 'Not supported',
    color: 'orange',
    meaning: 'The check found too little evidence for this answer.',
    Icon: IconCircleDashed,
  },
  refuted: {
    label: 'Refuted',
    color: 'red',
    meaning: 'The check found that the answer is wrong.',
    Icon: IconCircleX,
  },
  unchecked: {
    label: 'Unchecked',
    color: 'gray',
    meaning: 'Nothing was found for or against the answer.',
    Icon: IconCircleDotted,
  },
}

/** The result of verifying an answer. */
export function CheckedBadge({ checked }: Pick<RunEndView, 'checked'>) {
  const { label, color, meaning, Icon } = LOOKS[checked]
  return (
    <Tooltip label={meaning} multiline maw={280}>
      <Badge variant="light" color={color} leftSection={<Icon size={13} />} tt="none" flex="none">
        {label}
      </Badge>
    </Tooltip>
  )
}
