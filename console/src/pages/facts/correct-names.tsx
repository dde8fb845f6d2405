import { type ReactNode, useState } from 'react';
import { correctEntity } from '../../api/calls.ts';
import type { EntityItem } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Stored } from '../explorer/stored.tsx';

type Asked = { what: 'rename' } | { what: 'merge' } | { what: 'split'; alias: EntityItem['aliases'][number] };

/** Shows the forms that rename an entity, merge it with another, or split a name off it. */
export const CorrectNames = ({
  entity,
  others,
  onCorrected,
}: {
  entity: EntityItem;
  /** Entities with which it may be merged. */
  others: readonly EntityItem[];
  onCorrected: (entity: EntityItem) => void;
}) => {
  const [asked, setAsked] = useState<Asked>();
  const end = (corrected: EntityItem | undefined): void => {
    setAsked(undefined);
    if (corrected) onCorrected(corrected);
  };
  return (
    <section className="names" aria-label="Names">
      <div className="buttons">
        <button type="button" className="small" onClick={() => setAsked({ what: 'rename' })}>
          Rename
        </button>
        {others.length > 0 && (
          <button type="button" className="small" onClick={() => setAsked({ what: 'merge' })}>
            Same as …
          </button>
        )}
        {entity.aliases.map(alias => (
          <button
            key={alias.id}
            type="button"
            className="small"
            onClick={() => setAsked({ what: 'split', alias })}
          >
            <Stored>{alias.label}</Stored> is not the same
          </button>
        ))}
      </div>
      {asked?.what === 'rename' && <Rename entity={entity} onDone={end} />}
      {asked?.what === 'merge' && <Merge entity={entity} others={others} onDone={end} />}
      {asked?.what === 'split' && <Split entity={entity} alias={asked.alias} onDone={end} />}
    </section>
  );
};

interface Dialog {
  entity: EntityItem;
  onDone: (corrected: EntityItem | undefined) => void;
}

/** Asks for a correction, sends it, and passes on the resulting entity. */
const Correcting = ({
  entity,
  body,
  onDone,
  children,
  ...words
}: Dialog & {
  body: Parameters<typeof correctEntity>[1];
  title: ReactNode;
  verb: string;
  busyVerb: string;
  children: ReactNode;
}) => {
  let corrected: EntityItem | undefined;
  return (
    <Confirm
      {...words}
      isGoneDone={false}
      act={async () => {
        corrected = await correctEntity(entity, body);
      }}
      onDone={() => onDone(corrected)}
    >
      {children}
    </Confirm>
  );
};

const Rename = (dialog: Dialog) => {
  const [label, setLabel] = useState(dialog.entity.label);
  return (
    <Correcting
      {...dialog}
      title={
        <>
          Rename <Stored>{dialog.entity.label}</Stored>
        </>
      }
      verb="Rename"
      busyVerb="Renaming"
      body={{ label }}
    >
      <div className="field">
        <label htmlFor="entity-label">Shown as</label>
        <input
          id="entity-label"
          type="text"
          autoComplete="off"
          maxLength={256}
          value={label}
          onChange={event => setLabel(event.target.value)}
        />
      </div>
      <p>Lists, facts and recalls show it from now on. What was said stays as it was said.</p>
    </Correcting>
  );
};

const Merge = ({ others, ...dialog }: Dialog & { others: readonly EntityItem[] }) => {
  const [into, setInto] = useState(others[0]!.id);
  return (
    <Correcting
      {...dialog}
      title={
        <>
          <Stored>{dialog.entity.label}</Stored> is the same as …
        </>
      }
      verb="Merge"
      busyVerb="Merging"
      body={{ merge_into: into }}
    >
      <div className="field">
        <label htmlFor="merge-into">Listed under</label>
        <select id="merge-into" value={into} onChange={event => setInto(event.target.value)}>
          {others.map(({ id, label, kind }) => (
            <option key={id} value={id}>
              {label} ({kind})
            </option>
          ))}
        </select>
      </div>
      <p>Their facts are decided together. You can set the name apart again.</p>
    </Correcting>
  );
};

const Split = ({ alias, ...dialog }: Dialog & { alias: EntityItem['aliases'][number] }) => (
  <Correcting
    {...dialog}
    title={
      <>
        <Stored>{alias.label}</Stored> is not <Stored>{dialog.entity.label}</Stored>?
      </>
    }
    verb="Set apart"
    busyVerb="Setting apart"
    body={{ split: [alias.id] }}
  >
    <p>
      They stand apart from now on, each with its own facts, and no rule merges them again. You can merge them
      yourself.
    </p>
  </Correcting>
);
