import Mustache
import Platform

/// Renderer of pages as HTML. The templates escape all text.
struct ReportHTML: Sendable {
  let library: MustacheLibrary

  init() throws {
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("page", PackageResources.page_mustache), ("section", PackageResources.section_mustache),
      ("details", PackageResources.details_mustache),
      ("figure", PackageResources.figure_mustache), ("table", PackageResources.table_mustache),
      ("clip", PackageResources.clip_mustache), ("player", PackageResources.player_mustache),
      ("blind", PackageResources.blind_mustache), ("sound", PackageResources.sound_mustache),
      ("scripts", PackageResources.scripts_mustache), ("head", PackageResources.head_mustache),
      ("subpage", PackageResources.subpage_mustache), ("link", PackageResources.link_mustache),
      ("workbench", PackageResources.workbench_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    self.library = library
  }

  static var css: String {
    [PackageResources.report_css, PackageResources.listen_css]
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  func render(_ page: ReportPage, sounds: SoundStore) -> String {
    let parts = PageViews(sounds: sounds, page: ReportFiles.page, lanes: lanes(page, sounds))
    return render(parts.page(page), by: "page")
  }

  func render(_ subpage: Subpage, of page: ReportPage, sounds: SoundStore) -> String {
    let parts = PageViews(sounds: sounds, page: subpage.address, lanes: lanes(page, sounds))
    return render(parts.subpage(subpage, of: page), by: "subpage")
  }

  func render(_ view: View, by template: String) -> String {
    library.render(view, withTemplate: template) ?? ""
  }

  /// Addresses of the cells whose sounds have lanes, by path.
  private func lanes(_ page: ReportPage, _ sounds: SoundStore) -> [String: String] {
    guard let workbench = page.workbench else { return [:] }
    let found = workbench.heard(sounds).map { lane in
      (lane.sounds[0].path, Workbench.address(ofCell: workbench.keys[lane.row]))
    }
    return Dictionary(found) { first, _ in first }
  }
}
