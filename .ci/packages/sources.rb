# What each package takes, for each platform: one line `PACKAGE PLATFORM URL SHA256`. The formula is evaluated with the few words
# of Homebrew that it uses, the manifest is read as krew reads it (krew `internal/index/validation/validate.go`).
#
#   ruby sources.rb OUT
require "yaml"

# Stands in for Homebrew on one platform.
class Formula
  class << self
    attr_accessor :os, :cpu, :found

    def on_macos = Formula.os == "darwin" && yield
    def on_linux = Formula.os == "linux" && yield
    def on_arm = Formula.cpu == "arm64" && yield
    def on_intel = Formula.cpu == "amd64" && yield
    def url(value) = Formula.found[:url] = value
    def sha256(value) = Formula.found[:sha256] = value
    def desc(value) = (value.length <= 80 && !value.end_with?(".")) || abort("formula: brew audit refuses this desc")
    def homepage(_) = nil
    def version(_) = nil
    def license(_) = nil
    def test = nil
  end
end

out = ARGV.fetch(0)
%w[linux darwin].product(%w[amd64 arm64]) do |os, cpu|
  Formula.os = os
  Formula.cpu = cpu
  Formula.found = {}
  load File.join(out, "argocd-peering.rb")
  puts "formula #{os}-#{cpu} #{Formula.found.values_at(:url, :sha256).join(" ")}"
end

manifest = YAML.safe_load_file(File.join(out, "argocd-peering.krew.yaml"))
spec = manifest["spec"]
abort "krew: another kind" unless manifest.values_at("apiVersion", "kind") == ["krew.googlecontainertools.github.com/v1alpha2", "Plugin"]
abort "krew: the name" unless manifest["metadata"]["name"].match?(/\A[\w-]+\z/)
abort "krew: the version" unless spec["version"].match?(/\Av\d+\.\d+\.\d+/)
abort "krew: the short description" if spec["shortDescription"].empty? || spec["shortDescription"].include?("\n")
spec["platforms"].each do |platform|
  labels = platform["selector"]["matchLabels"]
  abort "krew: the selector" unless labels.keys.sort == %w[arch os]
  archive = File.join(out, File.basename(platform["uri"]))
  files = IO.popen(["tar", "--list", "--gzip", "--file", archive], &:readlines).map(&:chomp)
  platform["files"].each do |move|
    moved = files.select { |file| File.fnmatch(move["from"], file, File::FNM_PATHNAME) }.map { |file| File.basename(file) }
    abort "krew: #{archive} has no #{platform["bin"]} at #{move["from"]}" unless moved.include?(platform["bin"])
  end
  puts "krew #{labels["os"]}-#{labels["arch"]} #{platform["uri"]} #{platform["sha256"]}"
end
