import { Anchor, Group, Image, Paper, Skeleton, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ArtifactView, RunView } from 'echelon/client'
import { bytes } from '../pieces/bytes.ts'
import { useFile } from './use-file.ts'

/** The files that a run made. */
export function Artifacts({ run }: { readonly run: RunView }) {
  if (run.artifacts.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Files
      </Title>
      <Group align="stretch">
        {run.artifacts.map((file) => (
          <File key={file.name} run={run.id} file={file} />
        ))}
      </Group>
    </section>
  )
}

/** Pictures that a browser draws without running anything. Others can be downloaded. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])

interface FileProps {
  readonly run: string
  readonly file: ArtifactView
}

function File({ run, file }: FileProps) {
  const { name, media_type: type } = file
  const address = useFile(run, file)
  const short = name.split('/').at(-1) ?? name
  return (
    <Paper withBorder p="sm" maw={640} component="figure" m={0}>
      {PICTURES.has(type) &&
        (address === undefined ? (
          <Skeleton height={240} w={480} maw="100%" />
        ) : (
          <Image src={address} alt={`The file ${short} that the run made`} radius="sm" bg="white" />
        ))}
      <Group component="figcaption" justify="space-between" mt="xs" gap="xs">
        <Text size="sm">
          {short}{' '}
          <Text span c="dimmed" inherit>
            {type}, {bytes(file.bytes)}
          </Text>
        </Text>
        {address !== undefined && (
          <Anchor href={address} download={short} size="sm">
            <IconDownload size={14} aria-hidden /> Download
          </Anchor>
        )}
      </Group>
    </Paper>
  )
}
