import CommandSupport
import Corpus
import Foundation
import Platform
import Sweep
import Tuning

/// The answer of `tune`, as text and as JSON.
enum TuneText {
  static func json(_ answer: TuneAnswer, _ run: StoredRun) throws -> String {
    try JSON.text(
      [
        "schema": "choir-eval.tune/2", "plan": run.plan, "cells": run.cells.count,
        "rule": TuneGoal.rule, "answer": answer,
      ] as JSONObject, of: text(answer, run))
  }

  static func text(_ answer: TuneAnswer, _ run: StoredRun) -> AnswerText {
    var text = AnswerText()
    text.figures(run.plan.title)
    text.remark([""] + verdict(answer))
    guard answer.best != nil else {
      text.remark(reasons(answer))
      return text
    }
    for table in [groups(answer), points(answer), faults(answer)] where !table.isEmpty {
      text.figures("\n" + table)
    }
    text.figures("\n" + legend(answer))
    text.remark(remarks(answer))
    if case let line = search(answer), !line.isEmpty { text.remark("", line) }
    return text
  }

  // MARK: - The answer in words

  private static func verdict(_ answer: TuneAnswer) -> [String] {
    guard let best = answer.best else { return ["No setting has a value on every axis."] }
    let point = answer.points[best]
    var lines = headline(point, answer)
    let figures = answer.axes.filter { !$0.axis.isAudible }.compactMap { axis in
      point.figures[axis.axis.rawValue].map { "\(axis.axis.rawValue) \(text($0, axis))" }
    }
    let steps = point.faults.map { "audible total \(TuneAnswer.words(ofSteps: $0))" }
    lines.append("  " + ([steps].compactMap(\.self) + figures).joined(separator: ", "))
    lines.append("  Heard first: \(answer.heardFirst(of: point)).")
    if answer.recommended == nil, let share = point.fitShare {
      lines.append("  It fits in \(percent(share)) of draws of the recordings.")
    } else if let share = point.chosenShare {
      lines.append(
        "  It is recommended in \(percent(share)) of draws of the "
          + "\(counted(answer.recordings.count, "recording"))" + rivals(of: best, answer) + ".")
    } else {
      lines.append(
        "  \(counted(answer.recordings.count, "recording")) can't state how certain that is; "
          + "measure more.")
    }
    // Settings with the same sound are left out: the headline names the parameter that the program ignores.
    let alike = answer.alike.filter { answer.points[$0].sameAs == nil }
    if !alike.isEmpty {
      let names = alike.prefix(maxAlike).map { name(answer.points[$0], answer) }
      let more = alike.count - names.count
      lines.append(
        "  These recordings show no noticeable difference from "
          + "\(listed(names + (more > 0 ? ["\(more) more"] : []))): the first of the plan is named."
      )
    }
    if answer.recommended != nil { lines += passedOver(answer) + registers(answer) }
    return lines
  }

  /// Number of equal settings that are named.
  private static let maxAlike = 3

  private static func headline(_ point: TuneAnswer.Point, _ answer: TuneAnswer) -> [String] {
    let name = name(point, answer)
    if answer.recommended != nil {
      return [name.isEmpty ? "The plan has one setting only:" : "Recommended: \(name)"]
        + answer.unheardSettings.map { "  \($0.words)" }
    }
    if point.fits {
      return [
        "No one setting serves every register: each loses voices that another keeps. See the "
          + "recommendation by register.",
        "Nearest: \(name), which loses \(listed(point.losses.map(\.words))).",
      ]
    }
    let misses = answer.misses.sorted { $0.key < $1.key }.map { name, over in
      "\(name) by \(format(over, 2)) \(unit(name, answer))".trimmed
    }
    let unknown = answer.budgets.keys.filter { point.figures[$0] == nil }.sorted()
    let reasons =
      (misses.isEmpty ? [] : ["misses " + misses.joined(separator: ", ")])
      + (unknown.isEmpty ? [] : ["has no value of \(listed(unknown))"])
    return ["No setting fits the budgets. Nearest: \(name), which \(listed(reasons))."]
  }

  /// The setting with fewer steps that loses voices.
  private static func passedOver(_ answer: TuneAnswer) -> [String] {
    answer.passedOver.map { point in
      [
        "  Passed over: \(name(point, answer)), with \(format(point.distance, 1)) steps in total, loses "
          + "\(listed(point.losses.map(\.words)))."
      ]
    } ?? []
  }

  /// Registers that would be better off with another setting.
  private static func registers(_ answer: TuneAnswer) -> [String] {
    answer.groups.filter { $0.by == "register" && $0.chosen != answer.best }.compactMap { group in
      group.chosen.map {
        "  For \(group.name) voices alone, \(name(answer.points[$0], answer)) is better."
      }
    }
  }

  /// Other settings that at least one draw in ten recommends.
  private static func rivals(of best: Int, _ answer: TuneAnswer) -> String {
    let shares = answer.points.map { $0.chosenShare ?? 0 }
    let rivals = shares.indices.filter { $0 != best && shares[$0] >= 0.1 }
      .sorted { shares[$0] > shares[$1] }
    let texts = rivals.map { "\(name(answer.points[$0], answer)) (\(percent(shares[$0])))" }
    return texts.isEmpty ? "" : "; others: " + texts.joined(separator: ", ")
  }

  // MARK: - The adaptive search

  private static func search(_ answer: TuneAnswer) -> String {
    guard let search = answer.search else { return "" }
    let rounds = search.rounds.map { "\($0.settings) on \($0.slices)" }.joined(separator: ", ")
    return "Adaptive search: \(search.cells) of \(search.gridCells) cells "
      + "(\(percent(Double(search.cells) / Double(search.gridCells)))); settings on recordings and "
      + "conditions: \(rounds). Only the last \(search.rounds.last?.settings ?? 0) were compared with "
      + "each other; run the full grid for the front of all settings."
  }

  // MARK: - Parts

  /// Indices in display order: the recommended setting, the front by distance, then the others.
  static func order(_ answer: TuneAnswer) -> [Int] {
    func key(_ index: Int) -> (Int, Int, Double, Int) {
      let point = answer.points[index]
      let place = index == answer.best ? 0 : point.isOnFront ? 1 : 2
      // Settings that were dropped later come first.
      let heard = point.droppedAfterRound.map { -$0 } ?? Int.min
      return (place, heard, point.distance ?? .infinity, index)
    }
    return answer.points.indices.sorted { key($0) < key($1) }
  }

  static func mark(_ index: Int, _ answer: TuneAnswer) -> String {
    let point = answer.points[index]
    let first = index == answer.recommended ? "→" : index == answer.nearestMiss ? "~" : ""
    return first + (point.isOnFront ? "*" : "") + (point.fits ? "" : "×")
      + (point.droppedAfterRound == nil ? "" : "↓")
  }

  /// Names of the settings that differ between points; all names if none differs.
  static func settingNames(_ answer: TuneAnswer) -> [String] {
    let all = Set(answer.points.flatMap(\.settings.keys)).sorted()
    let varied = all.filter { name in Set(answer.points.map { $0.settings[name] }).count > 1 }
    return varied.isEmpty ? all : varied
  }

  static func hasSubjects(_ answer: TuneAnswer) -> Bool {
    Set(answer.points.map(\.subject)).count > 1
  }

  static func name(_ point: TuneAnswer.Point, _ answer: TuneAnswer) -> String {
    let names = settingNames(answer).filter { point.settings[$0] != nil }
    return
      ((hasSubjects(answer) ? [point.subject] : [])
      + names.map { "\($0)=\(point.settings[$0]!)" }).joined(separator: " ")
  }

  static func unit(_ axis: String, _ answer: TuneAnswer) -> String {
    answer.axes.first { $0.axis.rawValue == axis }?.unit ?? ""
  }

  static func text(
    _ figure: TuneAnswer.Figure, _ axis: TuneAnswer.Axis, unit: Bool = true
  ) -> String {
    let places = axis.scale >= 10 ? 1 : 2
    let range = figure.interval.flatMap {
      $0.lowerBound == $0.upperBound
        ? nil : " [\(format($0.lowerBound, places)), \(format($0.upperBound, places))]"
    }
    let suffix = unit && !axis.unit.isEmpty ? " \(axis.unit)" : ""
    let text = format(figure.value, places) + suffix + (range ?? "")
    return figure.isAssumed ? "(\(text))" : text
  }

  static func short(_ value: Double) -> String { String(format: "%g", value) }

  static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
