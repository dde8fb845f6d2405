/** The ids that an import derives for what was said without a turn: they depend on what it corrects. */
import type { KeyObject } from 'node:crypto';
import { observationId, statementId, statementObservationId } from '../../../domain/identity/identity.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { Stated, TurnRecorded } from '../../../schemas/events/turns.ts';
import type { ExportedEvent } from './export-format.ts';

interface Statement {
  id: string;
  org: string;
  identity: KeyObject;
  data: TurnRecorded;
}

export interface Statements {
  add(event: ExportedEvent, under: { org: string; identity: KeyObject }): void;
  /**
   * Derives the ids of statements that correct nothing, or whose corrected observation has its new id by now.
   * Returns whether some are left: `find` has to see the file's events before these, and then they all get an
   * id.
   */
  name(): boolean;
  /** Notes the new ids of observations of turns that a statement corrects. */
  find(event: ExportedEvent): void;
  /** With the new ids of what it corrects. */
  renamed(stated: Stated): Stated;
}

/** @param turnIds the new ids of turns by their old ones, which get those of the statements too */
export const makeStatements = (turnIds: Map<string, string>): Statements => {
  let waiting: Statement[] = [];
  const observations = new Map<string, string>();
  /** Old ids of what statements correct. */
  const corrected = new Set<string>();
  let hasSeenAll = false;

  const nameOne = ({ id, org, identity, data }: Statement): void => {
    const {
      user_id: user,
      session_id: session,
      role,
      timestamp,
      observations: [text = ''],
      facts,
      stated,
    } = data;
    const old = stated!.corrects?.observation_id;
    const now = statementId(identity, {
      org,
      user,
      session,
      role,
      text,
      fact: facts?.[0],
      corrects: old === undefined ? undefined : (observations.get(old) ?? old),
      timestamp: stated!.undated ? undefined : Date.parse(timestamp),
    });
    turnIds.set(id, now);
    observations.set(statementObservationId(id), statementObservationId(now));
  };

  /** A statement is in the file before those that correct it. */
  const isReady = ({ data: { stated } }: Statement): boolean => {
    const old = stated!.corrects?.observation_id;
    return old === undefined || observations.has(old) || hasSeenAll;
  };

  const nowOf = (old: string): string => observations.get(old) ?? turnIds.get(old) ?? old;

  return {
    add: ({ id, data }, under) => {
      const statement = { id, ...under, data: data as TurnRecorded };
      waiting.push(statement);
      for (const old of statement.data.stated!.corrects?.follows ?? []) corrected.add(old);
    },
    name: () => {
      const rest: Statement[] = [];
      for (const one of waiting) {
        if (isReady(one)) nameOne(one);
        else rest.push(one);
      }
      waiting = rest;
      hasSeenAll = true;
      return waiting.length > 0;
    },
    find: ({ id, type, data }) => {
      const found = (turn: string, texts: readonly string[]): void => {
        for (const text of texts) {
          const old = observationId(turn, text);
          const now = turnIds.get(turn);
          if (corrected.has(old) && now !== undefined) observations.set(old, observationId(now, text));
        }
      };
      if (type === 'turn.recorded' && !(data as TurnRecorded).stated)
        found(id, (data as TurnRecorded).observations);
      if (type !== 'observations.extracted') return;
      const { turn_id, observations: extracted } = data as ObservationsExtracted;
      found(
        turn_id,
        extracted.map(({ text }) => text),
      );
    },
    renamed: ({ corrects, ...stated }) =>
      corrects
        ? {
            ...stated,
            corrects: {
              ...corrects,
              observation_id: nowOf(corrects.observation_id),
              follows: corrects.follows.map(nowOf),
            },
          }
        : stated,
  };
};
