import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { KeptIntent } from 'echelon/client'
import { useState } from 'react'
import { IntentForm } from './intent-form.tsx'
import { IntentShown } from './intent-shown.tsx'
import { Layer } from './layer.tsx'

interface IntentCardProps {
  readonly agent: string
  readonly kept: KeptIntent
}

/** The first layer: what the user wants. Only the user changes it, here. */
export function IntentCard({ agent, kept }: IntentCardProps) {
  const [isEdited, setEdited] = useState(false)
  return (
    <Layer
      rank={1}
      title="Intent"
      what="What you want. It outranks every plan and every answer, and only you change it."
      action={
        !isEdited && (
          <Button
            variant="default"
            size="xs"
            flex="none"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => setEdited(true)}
          >
            Edit
          </Button>
        )
      }
    >
      {isEdited ? (
        <IntentForm agent={agent} kept={kept} onDone={() => setEdited(false)} />
      ) : (
        <IntentShown intent={kept.intent} />
      )}
    </Layer>
  )
}
